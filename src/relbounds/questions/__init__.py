"""What can be asked further of the good models of a fit?"""
