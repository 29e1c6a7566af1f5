"""What do results say in plain sentences?"""
